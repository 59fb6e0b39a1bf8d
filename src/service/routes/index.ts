import type { Handlers, Deps } from '../call.ts'
import { convert, formats, conversionUrls } from './convert/convert.ts'
import { createDataset } from './datasets/create.ts'
import { deleteDataset, getDataset, listDatasets, updateDataset } from './datasets/manage.ts'
import { query } from './query.ts'
import { signUploads } from './signed-urls.ts'

/** The handlers of the public operations. */
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
