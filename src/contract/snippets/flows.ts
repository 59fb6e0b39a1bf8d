import { formatInfo } from '../formats.ts'
import type { ServiceFormat } from '../schemas.ts'
import { KEY_VARIABLE, type Language, jsLiteral, pyLiteral, shellQuote, stringLiteral } from './languages.ts'

/** How to publish a file. */
interface PublishFlow {
  readonly baseUrl: string
  readonly workspaceId: string
  readonly datasetName: string
  readonly tableName: string
  readonly filename: string
  readonly format: ServiceFormat
}

/** How to convert a file. */
interface ConvertFlow {
  readonly baseUrl: string
  readonly filename: string
  readonly from: ServiceFormat
  readonly to: ServiceFormat
  readonly resultFilename: string
}

const CURL_KEY = `--header "X-API-Key: $${KEY_VARIABLE}"`
const CURL = 'curl --silent --show-error --fail-with-body'

/** A program that signs, uploads, and creates a dataset with one table. The one for curl needs `jq`. */
export function publishSnippet(language: Language, flow: PublishFlow): string {
  const contentType = formatInfo(flow.format).mimeType
  const sign = { workspace_id: flow.workspaceId, files: [{ filename: flow.filename, content_type: contentType }] }
  const dataset = { dataset_name: flow.datasetName, workspace_id: flow.workspaceId }
  const table = { table_name: flow.tableName }
  switch (language) {
    case 'curl': {
      const create = `${JSON.stringify(dataset)} + {tables: [${JSON.stringify(table)} + {signed_url: $url}]}`
      return shell(flow.baseUrl, [
        '# 1. Ask for a URL to upload to.',
        `signed=$(${CURL} "$base/storage/signed-urls" \\`,
        `  ${CURL_KEY} --json ${shellQuote(JSON.stringify(sign))})`,
        `url=$(printf %s "$signed" | jq --raw-output '.urls[0].signed_url')`,
        '',
        ...curlUpload(flow.filename, contentType),
        '',
        '# 3. Make a dataset of it.',
        `jq --null-input --arg url "$url" ${shellQuote(create)} |`,
        `  ${CURL} "$base/datasets" ${CURL_KEY} --json @-`,
      ])
    }
    case 'javascript':
      return javascript(flow.baseUrl, [
        '// 1. Ask for a URL to upload to.',
        `const { urls } = await call("/storage/signed-urls", ${jsLiteral(sign)})`,
        '',
        ...jsUpload('urls[0].signed_url', flow.filename, stringLiteral(contentType)),
        '',
        '// 3. Make a dataset of it.',
        'const { data } = await call("/datasets", {',
        `  ...${jsLiteral(dataset, '  ')},`,
        `  tables: [{ ...${jsLiteral(table, '  ')}, signed_url: urls[0].signed_url }],`,
        '})',
        'console.log(data.dataset, data.tables)',
      ])
    case 'python':
      return python(flow.baseUrl, [
        '# 1. Ask for a URL to upload to.',
        `signed = call("/storage/signed-urls", ${pyLiteral(sign)})`,
        'url = signed["urls"][0]["signed_url"]',
        '',
        ...pyUpload(flow.filename, stringLiteral(contentType)),
        '',
        '# 3. Make a dataset of it.',
        'created = call("/datasets", {',
        `    **${pyLiteral(dataset, '    ')},`,
        `    "tables": [{**${pyLiteral(table, '    ')}, "signed_url": url}],`,
        '})',
        'print(created["data"])',
      ])
  }
}

/** A program that signs, uploads, converts and downloads. The one for curl needs `jq`. */
export function convertSnippet(language: Language, flow: ConvertFlow): string {
  const formats = { source_format: flow.from, destination_format: flow.to }
  const contentType = formatInfo(flow.from).mimeType
  switch (language) {
    case 'curl':
      return shell(flow.baseUrl, [
        '# 1. Ask for a URL to upload to.',
        `targets=$(${CURL} "$base/convert/upload-urls" \\`,
        `  ${CURL_KEY} --json ${shellQuote(JSON.stringify(formats))})`,
        `url=$(printf %s "$targets" | jq --raw-output '.data.source.upload_url')`,
        '',
        ...curlUpload(flow.filename, contentType),
        '',
        '# 3. Convert it.',
        `result=$(printf %s "$targets" | jq ${shellQuote(`{source_url: .data.source.file_path} + ${JSON.stringify(formats)}`)} |`,
        `  ${CURL} "$base/convert" ${CURL_KEY} --json @-)`,
        '',
        '# 4. Download the result. It needs no key.',
        `${CURL} "$(printf %s "$result" | jq --raw-output '.data.download_url')" \\`,
        `  --output ${shellQuote(flow.resultFilename)}`,
      ])
    case 'javascript':
      return javascript(
        flow.baseUrl,
        [
          '// 1. Ask for a URL to upload to.',
          `const formats = ${jsLiteral(formats)}`,
          'const { data: targets } = await call("/convert/upload-urls", formats)',
          '',
          ...jsUpload('targets.source.upload_url', flow.filename, 'targets.source.content_type'),
          '',
          '// 3. Convert it.',
          'const { data: result } = await call("/convert", { ...formats, source_url: targets.source.file_path })',
          '',
          '// 4. Download the result. It needs no key.',
          'const download = await fetch(result.download_url)',
          `await writeFile(${stringLiteral(flow.resultFilename)}, Buffer.from(await download.arrayBuffer()))`,
        ],
        ', writeFile',
      )
    case 'python':
      return python(flow.baseUrl, [
        '# 1. Ask for a URL to upload to.',
        `formats = ${pyLiteral(formats)}`,
        'targets = call("/convert/upload-urls", formats)["data"]',
        'url = targets["source"]["upload_url"]',
        '',
        ...pyUpload(flow.filename, 'targets["source"]["content_type"]'),
        '',
        '# 3. Convert it.',
        'result = call("/convert", {**formats, "source_url": targets["source"]["file_path"]})["data"]',
        '',
        '# 4. Download the result. It needs no key.',
        'download = requests.get(result["download_url"], timeout=300)',
        'download.raise_for_status()',
        `with open(${stringLiteral(flow.resultFilename)}, "wb") as file:`,
        '    file.write(download.content)',
      ])
  }
}

function shell(baseUrl: string, steps: readonly string[]): string {
  return ['set -e', `base=${shellQuote(baseUrl)}`, '', ...steps].join('\n')
}

function curlUpload(filename: string, contentType: string): string[] {
  return [
    '# 2. Upload the file. The URL is the credential: send no key.',
    `${CURL} "$url" --request PUT \\`,
    `  --header ${shellQuote(`Content-Type: ${contentType}`)} --data-binary ${shellQuote(`@${filename}`)}`,
  ]
}

function javascript(baseUrl: string, steps: readonly string[], more = ''): string {
  return [
    `import { readFile${more} } from "node:fs/promises"`,
    '',
    `const base = ${stringLiteral(baseUrl)}`,
    '',
    'async function call(path, body) {',
    '  const response = await fetch(base + path, {',
    '    method: "POST",',
    `    headers: { "X-API-Key": process.env.${KEY_VARIABLE}, "Content-Type": "application/json" },`,
    '    body: JSON.stringify(body),',
    '  })',
    '  const answer = await response.json()',
    '  if (!response.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`)',
    '  return answer',
    '}',
    '',
    ...steps,
  ].join('\n')
}

function jsUpload(url: string, filename: string, contentType: string): string[] {
  return [
    '// 2. Upload the file. The URL is the credential: send no key.',
    `const upload = await fetch(${url}, {`,
    '  method: "PUT",',
    `  headers: { "Content-Type": ${contentType} },`,
    `  body: await readFile(${stringLiteral(filename)}),`,
    '})',
    'if (!upload.ok) throw new Error(`The upload failed: ${upload.status}`)',
  ]
}

function python(baseUrl: string, steps: readonly string[]): string {
  return [
    'import os',
    '',
    'import requests',
    '',
    `base = ${stringLiteral(baseUrl)}`,
    '',
    '',
    'def call(path, body):',
    `    headers = {"X-API-Key": os.environ["${KEY_VARIABLE}"]}`,
    '    response = requests.post(base + path, headers=headers, json=body, timeout=300)',
    '    answer = response.json()',
    '    if not response.ok:',
    "        raise SystemExit(f\"{answer['error']['code']}: {answer['error']['message']}\")",
    '    return answer',
    '',
    '',
    ...steps,
  ].join('\n')
}

function pyUpload(filename: string, contentType: string): string[] {
  return [
    '# 2. Upload the file. The URL is the credential: send no key.',
    `with open(${stringLiteral(filename)}, "rb") as file:`,
    `    headers = {"Content-Type": ${contentType}}`,
    '    requests.put(url, headers=headers, data=file, timeout=300).raise_for_status()',
  ]
}
