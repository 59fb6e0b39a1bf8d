SELECT SearchPhrase FROM bench.hits.hits WHERE SearchPhrase <> '' ORDER BY EventTime, SearchPhrase LIMIT 10
