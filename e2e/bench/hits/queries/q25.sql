SELECT SearchPhrase FROM bench.hits.hits WHERE SearchPhrase <> '' ORDER BY SearchPhrase LIMIT 10
