export { DatasetsProvider, type DatasetsProviderProps } from './context.tsx'
export { DatasetsScreen } from './list/DatasetsScreen.tsx'
