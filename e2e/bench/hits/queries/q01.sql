SELECT count(*) FROM bench.hits.hits WHERE AdvEngineID <> 0
