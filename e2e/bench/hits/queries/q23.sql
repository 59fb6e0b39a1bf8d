SELECT * FROM bench.hits.hits WHERE URL LIKE '%google%' ORDER BY EventTime, WatchID LIMIT 10
