mkdir -p .config/fish/completions
