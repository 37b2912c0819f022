"""Analysis of what `ropewalk run` leaves behind: reading runs, statistics over seeds, figures."""
