import type { ErrorCode } from '../errors.ts'
import { FORMATS } from '../formats.ts'
import type { OperationId } from '../operations.ts'
import * as ex from './examples.ts'

/** An example of a request or an answer, with a summary of what it shows. */
interface Example {
  readonly summary: string
  readonly value: unknown
}

export interface ErrorExample {
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

export type Tag = 'Storage' | 'Datasets' | 'Query' | 'Conversion'

/** The documentation of an operation in addition to its schemas. */
export interface OperationDocumentation {
  readonly tag: Tag
  readonly summary: string
  /** CommonMark. */
  readonly description: string
  /** Which scopes the key needs, as a sentence. */
  readonly access: string
  readonly params?: Readonly<Record<string, { readonly description: string; readonly example: string }>>
  readonly request?: Readonly<Record<string, Example>>
  readonly answer: { readonly description: string; readonly examples: Readonly<Record<string, Example>> }
  /** Examples of errors that differ from the common ones. */
  readonly errors?: Partial<Readonly<Record<ErrorCode, ErrorExample>>>
}

const DATASET_PARAM = {
  datasetId: { description: 'The dataset’s id, from its creation or from the list.', example: ex.DATASET_ID },
}
const ANY_KEY = 'Any valid key.'
const WRITE = 'A key with `datasets:*:write`.'

export const documentation: Readonly<Record<OperationId, OperationDocumentation>> = {
  signUploads: {
    tag: 'Storage',
    summary: 'Get signed URLs to upload to',
    description:
      'The first step to create a dataset. Returns one URL for each file, in the same order: upload the file there with `PUT` within 15 minutes, with the `content_type` that you give here, then use the URL in `POST /datasets`. A file may have at most 50 MB.\n\nThe answer has no envelope on success, but it does on failure.',
    access: WRITE,
    request: {
      files: {
        summary: 'Two files',
        value: {
          workspace_id: ex.WORKSPACE_ID,
          files: [
            { filename: 'orders.csv', content_type: 'text/csv' },
            { filename: 'customers.parquet', content_type: 'application/vnd.apache.parquet' },
          ],
        },
      },
    },
    answer: {
      description: 'A URL for each file.',
      examples: {
        files: {
          summary: 'One file',
          value: {
            urls: [{ filename: 'orders.csv', signed_url: ex.SIGNED_URL, expires_at: '2026-11-21T09:45:00.000Z' }],
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'files[0].filename must not hold "/", "\\" or control characters.',
        details: {
          issues: [{ path: 'files[0].filename', message: 'must not hold "/", "\\" or control characters' }],
        },
      },
      UNSUPPORTED_FORMAT: {
        message:
          'files[0].content_type must be a type that the service supports. It supports csv, tsv, json, xlsx and parquet.',
        details: {
          supported: ['csv', 'tsv', 'json', 'xlsx', 'parquet'],
          issues: [{ path: 'files[0].content_type', message: 'must be a type that the service supports' }],
        },
      },
    },
  },
  createDataset: {
    tag: 'Datasets',
    summary: 'Create a dataset',
    description:
      'Creates a dataset with one table from each uploaded file. It’s listed once all files have been tried. A table that can’t be loaded counts under `failed` and says why; the others are loaded. If none can be loaded, nothing is created, and the answer is 400, or 503 if a retry may load one.\n\nRepeating the call creates a second dataset, or is answered with 409: repeat it only if you know that the first one failed.',
    access: WRITE,
    request: {
      dataset: {
        summary: 'A dataset of one table',
        value: {
          dataset_name: ex.DATASET_NAME,
          description: 'Orders of all shops, from the monthly exports.',
          visibility: 'private',
          tags: ['sales', 'finance'],
          workspace_id: ex.WORKSPACE_ID,
          tables: [{ table_name: 'orders', signed_url: ex.SIGNED_URL, description: 'One row per order.' }],
        },
      },
    },
    answer: {
      description: 'Created: at least one table was loaded.',
      examples: {
        created: {
          summary: 'All tables loaded',
          value: {
            dataset: ex.CREATED_DATASET,
            summary: { total: 1, successful: 1, failed: 0 },
            tables: [{ table_name: 'orders', status: 'success', rows_ingested: 48_210, schema: ex.ORDERS_SCHEMA }],
          },
        },
        partly: {
          summary: 'One of two failed',
          value: {
            dataset: ex.CREATED_DATASET,
            summary: { total: 2, successful: 1, failed: 1 },
            tables: [
              { table_name: 'orders', status: 'success', rows_ingested: 48_210, schema: ex.ORDERS_SCHEMA },
              {
                table_name: 'customers',
                status: 'failed',
                rows_ingested: 0,
                schema: [],
                error: { code: 'INVALID_REQUEST', message: 'Row 20,481, column “since”: “31.02.2026” isn’t a DATE.' },
              },
            ],
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'dataset_name is required.',
        details: { issues: [{ path: 'dataset_name', message: 'is required' }] },
      },
      CONFLICT: { message: 'There already is a dataset named “Sales 2026” in this workspace.' },
    },
  },
  query: {
    tag: 'Query',
    summary: 'Run SQL',
    description:
      'Runs one statement that only reads: `SELECT`, `FROM`, `WITH`, `VALUES`, `DESCRIBE`, `SUMMARIZE`, `SHOW`, `EXPLAIN`, `PIVOT` or `UNPIVOT`. Tables are named `workspace.dataset.table`; quote names that aren’t plain words, as usual in SQL. Statements that write, attach, install, or read files or URLs are refused.\n\nReturns at most 10,000 rows; `truncated` says if there were more. An answer of more than 128 MB is refused.',
    access: 'A key that may read each dataset that the statement uses; any valid key can read public ones.',
    request: {
      totals: {
        summary: 'Totals by status',
        value: {
          sql: 'SELECT status, count(*) AS orders, sum(total) AS revenue\nFROM my_workspace."Sales 2026".orders\nGROUP BY status\nORDER BY orders DESC',
          timeout_seconds: 30,
        },
      },
    },
    answer: {
      description: 'The rows.',
      examples: {
        totals: {
          summary: 'Totals by status',
          value: {
            columns: ['status', 'orders', 'revenue'],
            rows: [
              { status: 'paid', orders: 41_877, revenue: '2196412.35' },
              { status: 'refunded', orders: 6333, revenue: '310077.90' },
            ],
            count: 2,
            execution_time: '18.4ms',
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'Parser Error: syntax error at or near "FORM"',
        details: { kind: 'sql', line: 2, column: 1 },
      },
      NOT_FOUND: {
        message: 'There is no table my_workspace.sales.oders that the API key may read.',
        details: { table: 'my_workspace.sales.oders' },
      },
    },
  },
  listDatasets: {
    tag: 'Datasets',
    summary: 'List datasets',
    description: 'The datasets of a workspace that the key may read, newest first.',
    access: 'Any valid key; the list has only datasets that it may read.',
    params: { workspaceId: { description: 'The workspace’s id.', example: ex.WORKSPACE_ID } },
    answer: {
      description: 'The datasets that the key may read.',
      examples: {
        plain: { summary: 'Without tables', value: { datasets: [ex.LISTED_DATASET], count: 1 } },
        tables: { summary: 'With `expand=tables`', value: { datasets: [ex.LISTED_WITH_TABLES], count: 1 } },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'expand must be "tables".',
        details: { issues: [{ path: 'expand', message: 'must be "tables"' }] },
      },
      NOT_FOUND: { message: 'There is no workspace with this id that the API key may read.' },
    },
  },
  getDataset: {
    tag: 'Datasets',
    summary: 'Get a dataset',
    description: 'One dataset with its tables and their schemas.',
    access: 'A key that may read it; any valid key if it’s public.',
    params: DATASET_PARAM,
    answer: {
      description: 'The dataset.',
      examples: { dataset: { summary: 'A dataset of one table', value: { dataset: ex.DATASET_DETAILS } } },
    },
  },
  updateDataset: {
    tag: 'Datasets',
    summary: 'Change a dataset',
    description:
      'Changes name, description, visibility or tags; fields that aren’t in the body stay. A new name takes effect in SQL at once. A key that may not read the dataset gets back only its id and when it was changed.\n\n`add_tables` loads uploaded files as new tables, or, with `append`, as more rows of existing ones. Columns are matched by name; if the types differ, a column gets one that holds the values of both. If a file can’t be loaded or a row doesn’t fit, nothing changes, and the answer says why for each table. An upload can be added only once, so a repeated call is refused.',
    access: 'A key that may write it: `datasets:*:write` or `datasets:<dataset_id>:write`.',
    params: DATASET_PARAM,
    request: {
      describe: {
        summary: 'Another description, and tags',
        value: { short_description: 'Orders of all shops.', tags: ['sales'] },
      },
      publish: { summary: 'Make it public', value: { visibility: 'public' } },
      append: {
        summary: 'Add next month’s rows',
        value: { add_tables: [{ table_name: 'orders', signed_url: ex.SIGNED_URL, append: true }] },
      },
    },
    answer: {
      description: 'The dataset as it is now.',
      examples: {
        dataset: {
          summary: 'A dataset of one table',
          value: {
            dataset: {
              ...ex.DATASET_DETAILS,
              description: 'Orders of all shops.',
              tags: ['sales'],
              updated_at: '2026-11-21T10:05:00.000Z',
            },
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'visibility must be "private" or "public".',
        details: { issues: [{ path: 'visibility', message: 'must be "private" or "public"' }] },
      },
      FORBIDDEN: { message: 'The API key may read “Sales 2026”, but not change it.' },
      CONFLICT: { message: 'There already is a dataset named “Sales 2025” in this workspace.' },
    },
  },
  deleteDataset: {
    tag: 'Datasets',
    summary: 'Delete a dataset',
    description: 'Removes the dataset with its tables and files. This can’t be undone.',
    access: 'A key that may write it: `datasets:*:write` or `datasets:<dataset_id>:write`.',
    params: DATASET_PARAM,
    answer: {
      description: 'Deleted.',
      examples: { deleted: { summary: 'Deleted', value: { id: ex.DATASET_ID, deleted: true } } },
    },
    errors: { FORBIDDEN: { message: 'The API key may read “Sales 2026”, but not change it.' } },
  },
  conversionUrls: {
    tag: 'Conversion',
    summary: 'Get URLs for a conversion',
    description:
      'The first step of a conversion. Upload the source to `source.upload_url` with `PUT` within 15 minutes, with `source.content_type`, then use `source.file_path` in `POST /convert`. A file may have at most 50 MB.\n\nBody fields may be in snake_case, as here, or in camelCase (`sourceFormat`, `destinationFormat`). The answer always has the snake_case names; if the request used a camelCase name, it has the camelCase ones, too (`uploadUrl`, `downloadUrl`, `filePath`, `contentType`). A field in both spellings with different values is refused.',
    access: ANY_KEY,
    request: {
      parquet: {
        summary: 'CSV to Parquet',
        value: { source_format: 'csv', destination_format: 'parquet', filename: 'orders' },
      },
    },
    answer: {
      description: 'The URLs for the source and the result.',
      examples: {
        parquet: {
          summary: 'CSV to Parquet',
          value: {
            source: { upload_url: ex.UPLOAD_URL, file_path: ex.SOURCE_PATH, content_type: 'text/csv' },
            destination: {
              download_url: ex.DOWNLOAD_URL,
              file_path: ex.RESULT_PATH,
              content_type: 'application/vnd.apache.parquet',
            },
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'source_format is required.',
        details: { issues: [{ path: 'source_format', message: 'is required' }] },
      },
    },
  },
  convert: {
    tag: 'Conversion',
    summary: 'Convert a file',
    description:
      'Converts an uploaded source, and answers when the result is ready. Download it from `download_url`, which needs no key and is valid until `expires_at`.\n\nBody fields may be in snake_case, as here, or in camelCase (`sourceUrl`, `sourceFormat`, `destinationFormat`). The answer always has the snake_case names; if the request used a camelCase name, it has the camelCase ones, too (`downloadUrl`, `filePath`, `expiresAt`). A field in both spellings with different values is refused.',
    access: ANY_KEY,
    request: {
      parquet: {
        summary: 'CSV to Parquet',
        value: {
          source_url: ex.SOURCE_PATH,
          source_format: 'csv',
          destination_format: 'parquet',
          filename: 'orders',
        },
      },
    },
    answer: {
      description: 'Converted.',
      examples: {
        parquet: {
          summary: 'CSV to Parquet',
          value: {
            download_url: ex.DOWNLOAD_URL,
            file_path: ex.RESULT_PATH,
            expires_at: '2026-11-21T10:30:00.000Z',
          },
        },
      },
    },
    errors: {
      INVALID_REQUEST: {
        message: 'source_url is required.',
        details: { issues: [{ path: 'source_url', message: 'is required' }] },
      },
      NOT_FOUND: { message: 'There is no uploaded file at this path. Ask for upload URLs first.' },
    },
  },
  formats: {
    tag: 'Conversion',
    summary: 'List formats',
    description: 'The formats that the service converts. Each can be converted to any other.',
    access: ANY_KEY,
    answer: {
      description: 'The formats.',
      examples: {
        formats: {
          summary: 'All of them',
          value: {
            formats: FORMATS.filter(({ service }) => service).map(({ id, displayName, mimeType }) => ({
              format: id,
              display_name: displayName,
              mime_type: mimeType,
              can_read: true,
              can_write: true,
            })),
          },
        },
      },
    },
  },
}
