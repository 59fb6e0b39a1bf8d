SELECT URLHash, EventDate, count(*) AS PageViews
FROM bench.hits.hits
WHERE
  CounterID = 62
  AND EventDate >= '2013-07-01'
  AND EventDate <= '2013-07-31'
  AND IsRefresh = 0
  AND TraficSourceID IN (-1, 6)
  AND RefererHash = 8111591327313709963
GROUP BY URLHash, EventDate
ORDER BY PageViews DESC, URLHash, EventDate
LIMIT 10
