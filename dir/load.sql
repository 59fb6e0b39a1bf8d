COPY stock FROM 'dir/stock.csv' (FORMAT 'csv', force_not_null 'item', quote '"', delimiter ',', header 1);
