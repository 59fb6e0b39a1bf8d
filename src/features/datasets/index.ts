export { DatasetsProvider, type DatasetsProviderProps } from './context.tsx'
export { DatasetScreen } from './detail/DatasetScreen.tsx'
export { DatasetsScreen } from './list/DatasetsScreen.tsx'
export { prepareDatasets } from './prepare.ts'
