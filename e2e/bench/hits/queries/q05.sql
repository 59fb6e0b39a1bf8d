SELECT count(DISTINCT SearchPhrase) FROM bench.hits.hits
