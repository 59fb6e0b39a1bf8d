SELECT WindowClientWidth, WindowClientHeight, count(*) AS PageViews
FROM bench.hits.hits
WHERE
  CounterID = 62
  AND EventDate >= '2013-07-01'
  AND EventDate <= '2013-07-31'
  AND IsRefresh = 0
  AND DontCountHits = 0
  AND URLHash = 180041459695514558
GROUP BY WindowClientWidth, WindowClientHeight
ORDER BY PageViews DESC, WindowClientWidth, WindowClientHeight
LIMIT 10
