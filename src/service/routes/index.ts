import type { Handlers } from '../call.ts'
import { convert } from './convert/convert.ts'
import { formats } from './convert/formats.ts'
import { conversionUrls } from './convert/upload-urls.ts'
import { createDataset } from './datasets/create.ts'
import { deleteDataset, getDataset, listDatasets, updateDataset } from './datasets/manage.ts'
import type { Deps } from './deps.ts'
import { query } from './query.ts'
import { signUploads } from './signed-urls.ts'

/** What answers each public operation, behind all that middleware checks. */
export function createHandlers(deps: Deps): Handlers {
  return {
    signUploads: signUploads(deps),
    createDataset: createDataset(deps),
    query: query(deps),
    listDatasets: listDatasets(deps),
    getDataset: getDataset(deps),
    updateDataset: updateDataset(deps),
    deleteDataset: deleteDataset(deps),
    conversionUrls: conversionUrls(deps),
    convert: convert(deps),
    formats: formats(),
  }
}
