"""Runs a Triptych pipeline on a Spark cluster: the engine stays the program `triptych`."""

VERSION = "0.1.0"
