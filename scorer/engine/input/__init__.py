"""What comes from outside: JSON, its fields, and names that look alike."""
