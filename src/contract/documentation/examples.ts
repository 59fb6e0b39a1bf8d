/* Values in the documentation's examples, which are about one workspace, one dataset and one conversion. */

export const WORKSPACE_ID = '7f9c24e5-2c1b-4d3a-9e8f-0a1b2c3d4e5f'
export const DATASET_ID = '01KG9Z3M5T8V2C4N6P7Q8R9SXA'
export const DATASET_NAME = 'Sales 2026'

export const META = {
  request_id: 'req_01KG9Z4QW2E6R8T1Y3P5A7S9DF',
  timestamp: '2026-11-21T09:30:00.000Z',
  version: 'v1',
} as const

export const SIGNED_URL =
  'https://api.example.com/storage/2026-11-21/01KG9Z2C4N6P7Q8R9SXA3M5T8V/orders.csv?method=PUT&expires=1795254300000&type=text%2Fcsv&max=52428800&signature=5b0c8e'
export const SOURCE_PATH = '2026-11-21/01KG9Z5R8T1Y3P5A7S9DF4QW2E/source.csv'
export const RESULT_PATH = '2026-11-21/01KG9Z6T1Y3P5A7S9DF4QW2E6R/orders.parquet'
export const UPLOAD_URL = `https://api.example.com/storage/${SOURCE_PATH}?method=PUT&expires=1795254300000&type=text%2Fcsv&max=52428800&signature=9d41f7`
export const DOWNLOAD_URL = `https://api.example.com/storage/${RESULT_PATH}?method=GET&expires=1795257000000&type=application%2Fvnd.apache.parquet&max=0&signature=c27a30`

export const ORDERS_SCHEMA = [
  { name: 'order_id', type: 'INTEGER' },
  { name: 'status', type: 'VARCHAR' },
  { name: 'total', type: 'DECIMAL(10,2)' },
  { name: 'ordered_on', type: 'DATE' },
]

export const CREATED_DATASET = {
  id: DATASET_ID,
  name: DATASET_NAME,
  workspace_id: WORKSPACE_ID,
  visibility: 'private',
  created_at: '2026-11-21T09:30:00.000Z',
}

export const LISTED_DATASET = { ...CREATED_DATASET, tags: ['sales', 'finance'] }

const ORDERS_TABLE = {
  name: 'orders',
  description: 'One row an order.',
  row_count: 48_210,
  byte_size: 1_323_008,
  schema: ORDERS_SCHEMA,
}

export const LISTED_WITH_TABLES = { ...LISTED_DATASET, tables: [ORDERS_TABLE] }

export const DATASET_DETAILS = {
  ...LISTED_WITH_TABLES,
  description: 'Orders of all shops, from the monthly exports.',
  updated_at: '2026-11-21T09:30:00.000Z',
}
