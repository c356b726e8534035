"""The main job: reduce files, pass by pass, until nothing more can be left out."""
