"""What is kept and who is told: tables, groups and tournaments between store and web."""
