SELECT sum(json_array_length(document, '$.tags')) AS tags FROM bench.documents.documents
