import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { queryRequestSchema } from '../../contract/schemas.ts'
import { routeOf } from '../http/routes.ts'
import { readSettings, type Settings } from '../settings.ts'

/* Compares the files with the server's own settings and routes, without running containers. */

const here = import.meta.dirname
const project = path.resolve(here, '../../..')
const read = (file: string): string => readFileSync(path.join(here, file), 'utf8')

const longestQuery = queryRequestSchema.shape.timeout_seconds.unwrap().maxValue ?? Number.NaN

type Environment = Readonly<Record<string, string>>

/** The settings from environment variables. A variable that isn't read is an error. */
function settingsOf(env: Environment): Settings {
  const asked = new Set<string>()
  const watched = new Proxy(env, {
    get: (target, name) => {
      asked.add(String(name))
      return Reflect.get(target, name) as unknown
    },
  })
  const settings = readSettings([], watched)
  if (!settings) throw new Error('no settings')
  expect(Object.keys(env).filter((name) => !asked.has(name) && name !== 'NODE_ENV')).toEqual([])
  return settings
}

/** The variables that the image sets. */
function imageEnvironment(): Environment {
  const [, line] = /^ENV (.+)$/m.exec(read('Dockerfile')) ?? []
  return Object.fromEntries((line ?? '').split(' ').map((pair) => pair.split('=') as [string, string]))
}

describe('Dockerfile', () => {
  const text = read('Dockerfile')

  test('is in order', () => {
    expect(validate(text)).toEqual([])
  })

  test('sets only variables that the server reads', () => {
    const settings = settingsOf(imageEnvironment())
    expect([settings.host, settings.port, settings.data]).toEqual(['0.0.0.0', 8080, '/data'])
    expect(text).toContain(`EXPOSE ${settings.port}`)
    expect(text).toContain(`VOLUME ${settings.data}`)
  })

  test('copies files that exist, and runs scripts that exist', () => {
    const left = new Set(read('Dockerfile.dockerignore').match(/(?<=^!).+/gm))
    for (const name of left) expect(existsSync(path.join(project, name)), name).toBe(true)
    const copied = [...text.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? [])
    expect(copied.filter((name) => name !== '.' && !left.has(name))).toEqual([])
    const { scripts } = JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')) as { scripts: Environment }
    const run = [...text.matchAll(/npm run (\S+)/g)].map(([, name]) => name)
    expect(run.filter((name) => name === undefined || !(name in scripts))).toEqual([])
  })
})

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        environment?: Readonly<Record<string, string | number>>
        stop_grace_period?: string
        volumes?: string[]
        networks?: string[]
        ports?: string[]
      }
    >
  >
}

describe('compose.yaml', () => {
  const { services } = parse(read('compose.yaml')) as Compose
  // Compose's variables: ${NAME:-default}, ${NAME:?error}.
  const filled = (value: string | number): string =>
    String(value).replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, text: string) =>
      kind === '-' ? text : `a-${name}`,
    )
  const environmentOf = (name: string): Environment =>
    Object.fromEntries(
      Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [key, filled(value)] as const),
    )

  test('is in order', () => {
    const linter = new DCLinter({
      rules: {
        'services-alphabetical-order': 0,
        'service-keys-order': 0,
        'service-dependencies-alphabetical-order': 0,
      },
      quiet: false,
      debug: false,
      exclude: [],
    })
    const found = linter.lintFiles([path.join(here, 'compose.yaml')], false)
    expect(found.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`))).toEqual([])
  })

  test('gives the servers the database and the bucket that it defines', () => {
    const settings = settingsOf({ ...imageEnvironment(), ...environmentOf('rowhouse') })
    const database = environmentOf('database')
    expect(settings.databaseUrl).toBe(
      `postgres://${database['POSTGRES_USER']}:${database['POSTGRES_PASSWORD']}@database:5432/${database['POSTGRES_DB']}`,
    )
    const bucket = environmentOf('bucket')
    expect(settings.bucket).toMatchObject({
      endpoint: `${bucket['AWS_ENDPOINT_URL']}/`,
      region: bucket['AWS_REGION'],
      pathStyle: true,
      credentials: { accessKeyId: bucket['AWS_ACCESS_KEY_ID'], secretAccessKey: bucket['AWS_SECRET_ACCESS_KEY'] },
    })
    expect(environmentOf('store')['ROOT_SECRET_KEY']).toBe(bucket['AWS_SECRET_ACCESS_KEY'])
    expect(Number.parseInt(services['rowhouse']?.stop_grace_period ?? '', 10)).toBeGreaterThan(settings.grace)
  })

  test('exposes only the proxy', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports)
    expect(open.map(([name]) => name)).toEqual(['proxy'])
    const front = Object.entries(services).filter(([, { networks }]) => networks?.includes('front'))
    expect(front.map(([name]) => name)).toEqual(['rowhouse', 'proxy'])
  })
})

describe('nginx.conf', () => {
  const text = read('nginx.conf')

  test('doesn’t expose routes for operators', () => {
    const closed = [...text.matchAll(/location (?:= )?(\S+) \{\s+return 404;/g)].map(([, place]) => place ?? '')
    expect(closed.map((place) => routeOf('GET', place.replace(/\/$/, '/v1')).part)).toEqual([
      'metrics',
      'ready',
      'console',
    ])
  })

  test('waits longer than a query may take', () => {
    const [, seconds] = /proxy_read_timeout (\d+)s;/.exec(text) ?? []
    expect(Number(seconds)).toBeGreaterThan(longestQuery)
  })

  const found = spawnSync('nginx', ['-v']).error === undefined
  if (!found) console.log('skip nginx: it isn’t installed here')
  test.skipIf(!found)('is accepted by nginx', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-nginx-'))
    try {
      const file = path.join(folder, 'nginx.conf')
      writeFileSync(file, text)
      const { status, stderr } = spawnSync('nginx', ['-t', '-q', '-g', `pid ${folder}/pid;`, '-c', file])
      expect([status, String(stderr)]).toEqual([0, ''])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('kubernetes.yaml', () => {
  const all = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS() as { kind: string })
  const services = all.filter(({ kind }) => kind === 'Service').map((each) => new Service(each as never))
  const kinds = { Deployment, Ingress, NetworkPolicy, PodDisruptionBudget, Service }
  const the = <K extends keyof typeof kinds>(kind: K): InstanceType<(typeof kinds)[K]> => {
    const found = all.find((each) => each.kind === kind)
    return new kinds[kind](found as never) as InstanceType<(typeof kinds)[K]>
  }

  test('is in order', () => {
    expect([...new Set(all.map(({ kind }) => kind))].sort()).toEqual(Object.keys(kinds))
    for (const service of services) service.validate()
    for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) the(kind).validate()
  })

  test('gives the server valid settings, probes that exist, and time to stop', () => {
    const { spec } = the('Deployment')
    const pod = spec?.template.spec
    const [server] = pod?.containers ?? []
    if (!spec || !pod || !server) throw new Error('no server')
    const own = Object.fromEntries((server.env ?? []).map(({ name, value = '' }) => [name, value] as const))
    const secret = { DATABASE_URL: 'postgres://user@database/rowhouse' }
    const settings = settingsOf({ ...imageEnvironment(), ...own, ...secret })
    expect(settings.bucket?.bucket).toBe('rowhouse')
    expect(server.ports).toEqual([{ name: 'http', containerPort: settings.port }])
    const [, before] = server.lifecycle?.preStop?.exec?.command ?? []
    expect(Number(before)).toBeGreaterThan(0)
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(settings.grace + Number(before))
    const probes = [server.startupProbe, server.livenessProbe, server.readinessProbe]
    expect(probes.map((probe) => routeOf('GET', probe?.httpGet?.path ?? '').part)).toEqual([
      'health',
      'health',
      'ready',
    ])
    expect(server.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual([settings.data, '/tmp'])
    expect(server.volumeMounts?.map(({ name }) => name)).toEqual(pod.volumes?.map(({ name }) => name))
    const [data] = pod.volumes ?? []
    expect(Number.parseInt(String(data?.emptyDir?.sizeLimit), 10) * 2 ** 30).toBeGreaterThan(settings.cacheBytes)
    expect(pod.securityContext?.runAsNonRoot).toBe(true)
    expect(server.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  })

  test('accepts files of any size, and waits longer than a query may take', () => {
    const { annotations = {} } = the('Ingress').metadata ?? {}
    const named = (name: string) => annotations[`nginx.ingress.kubernetes.io/proxy-${name}`]
    expect([named('body-size'), named('request-buffering')]).toEqual(['0', 'off'])
    expect(Number(named('read-timeout'))).toBeGreaterThan(longestQuery)
  })

  test('doesn’t expose routes for operators', () => {
    const [rule] = the('Ingress').spec?.rules ?? []
    const paths = rule?.http?.paths.map(({ path: place = '', backend }) => [place, backend.service?.name])
    expect(paths).toEqual([
      ['/', 'rowhouse'],
      ...['/metrics', '/readyz', '/console'].map((place) => [place, 'rowhouse-nowhere']),
    ])
    expect(services.find(({ metadata }) => metadata?.name === 'rowhouse-nowhere')?.spec?.selector).toBeUndefined()
  })

  test('selects the same servers everywhere', () => {
    const { spec } = the('Deployment')
    const labels = spec?.template.metadata?.labels
    const selectors = [
      spec?.selector.matchLabels,
      the('PodDisruptionBudget').spec?.selector?.matchLabels,
      the('NetworkPolicy').spec?.podSelector?.matchLabels,
      the('Service').spec?.selector,
    ]
    expect(selectors).toEqual([labels, labels, labels, labels])
  })
})
