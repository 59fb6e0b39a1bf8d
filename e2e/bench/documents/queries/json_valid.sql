SELECT count(*) AS rows FROM bench.documents.documents WHERE json_valid(document)
