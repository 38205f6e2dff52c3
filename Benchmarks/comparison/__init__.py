"""What `compare.py` is made of: data, engines, measuring, cubes, and the page."""
