SELECT min(EventDate), max(EventDate) FROM bench.hits.hits
