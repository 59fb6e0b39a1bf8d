SELECT RegionID, sum(AdvEngineID), count(*) AS c, avg(ResolutionWidth), count(DISTINCT UserID)
FROM bench.hits.hits
GROUP BY RegionID
ORDER BY c DESC, RegionID
LIMIT 10
