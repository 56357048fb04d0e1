"""Every kind of event: a class with its fields, its check, its effect and its candidates."""
