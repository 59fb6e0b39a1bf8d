SELECT avg(UserID) FROM bench.hits.hits
