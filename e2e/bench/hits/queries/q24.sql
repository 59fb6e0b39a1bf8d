SELECT SearchPhrase FROM bench.hits.hits WHERE SearchPhrase <> '' ORDER BY EventTime, WatchID LIMIT 10
