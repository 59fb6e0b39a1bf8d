SELECT count(DISTINCT UserID) FROM bench.hits.hits
