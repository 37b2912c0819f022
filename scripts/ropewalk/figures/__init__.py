"""Figures for papers, with matplotlib."""
