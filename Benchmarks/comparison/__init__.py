"""The parts of compare.py: building two revisions, measuring them, judging times, and comparing counts."""
