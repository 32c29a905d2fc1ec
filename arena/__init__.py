"""Arena: a platform where programs play board games against each other."""
