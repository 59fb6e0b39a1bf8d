SELECT count(*) FROM bench.hits.hits WHERE URL LIKE '%google%'
