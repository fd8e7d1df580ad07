"""Other libraries' ways to hold a table: PettingZoo and the adapters made on it."""
