"""What a reader is told of an evening: reasons, slate, readings, settlement."""
