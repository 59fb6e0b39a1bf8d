SELECT count(document -> 'at') AS found, max((document -> 'at')::VARCHAR) AS last FROM bench.documents.documents
