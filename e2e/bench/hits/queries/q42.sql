SELECT date_trunc('minute', EventTime) AS M, count(*) AS PageViews
FROM bench.hits.hits
WHERE
  CounterID = 62
  AND EventDate >= '2013-07-14'
  AND EventDate <= '2013-07-15'
  AND IsRefresh = 0
  AND DontCountHits = 0
GROUP BY M
ORDER BY M
LIMIT 10 OFFSET 10
