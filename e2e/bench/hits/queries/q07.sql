SELECT AdvEngineID, count(*) FROM bench.hits.hits WHERE AdvEngineID <> 0 GROUP BY AdvEngineID ORDER BY count(*) DESC, AdvEngineID
