SELECT sum(AdvEngineID), count(*), avg(ResolutionWidth) FROM bench.hits.hits
