import { base, type Operation } from './operations.ts'
import * as schemas from './schemas.ts'

/**
 * The operations of the settings screen under `/console/v1`: workspaces, keys, usage. They aren't part of the public
 * interface, so they aren't in the OpenAPI document, need no API key, and have no rate limits.
 */
export const consoleOperations = {
  listWorkspaces: { ...base, method: 'get', path: '/workspaces', answer: schemas.workspacesDataSchema },
  createWorkspace: {
    ...base,
    method: 'post',
    path: '/workspaces',
    body: schemas.createWorkspaceRequestSchema,
    status: 201,
    answer: schemas.workspaceDataSchema,
    errors: ['INVALID_REQUEST', 'CONFLICT'],
  },
  updateWorkspace: {
    ...base,
    method: 'patch',
    path: '/workspaces/{workspaceId}',
    params: ['workspaceId'],
    body: schemas.updateWorkspaceRequestSchema,
    answer: schemas.workspaceDataSchema,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteWorkspace: {
    ...base,
    method: 'delete',
    path: '/workspaces/{workspaceId}',
    params: ['workspaceId'],
    answer: schemas.deletedDataSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  listApiKeys: {
    ...base,
    method: 'get',
    path: '/workspaces/{workspaceId}/api-keys',
    params: ['workspaceId'],
    answer: schemas.apiKeysDataSchema,
    errors: ['NOT_FOUND'],
  },
  createApiKey: {
    ...base,
    method: 'post',
    path: '/workspaces/{workspaceId}/api-keys',
    params: ['workspaceId'],
    body: schemas.createApiKeyRequestSchema,
    status: 201,
    answer: schemas.newApiKeyDataSchema,
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  rotateApiKey: {
    ...base,
    method: 'post',
    path: '/api-keys/{keyId}/rotate',
    params: ['keyId'],
    body: schemas.rotateApiKeyRequestSchema,
    status: 201,
    answer: schemas.newApiKeyDataSchema,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'CONFLICT'],
  },
  revokeApiKey: {
    ...base,
    method: 'delete',
    path: '/api-keys/{keyId}',
    params: ['keyId'],
    answer: schemas.revokedDataSchema,
    errors: ['NOT_FOUND'],
  },
  usage: {
    ...base,
    method: 'get',
    path: '/workspaces/{workspaceId}/usage',
    params: ['workspaceId'],
    answer: schemas.usageDataSchema,
    errors: ['NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, Operation>>

export type ConsoleOperationId = keyof typeof consoleOperations
