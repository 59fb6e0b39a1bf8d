SELECT count(*) FROM bench.hits.hits
