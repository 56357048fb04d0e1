"""Parsing of input: strict JSON, typed fields, and names that look alike."""
