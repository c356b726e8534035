"""Our own parsers, for texts that have no grammar, or of which a grammar makes too little."""
