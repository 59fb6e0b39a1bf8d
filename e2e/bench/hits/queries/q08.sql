SELECT RegionID, count(DISTINCT UserID) AS u FROM bench.hits.hits GROUP BY RegionID ORDER BY u DESC, RegionID LIMIT 10
