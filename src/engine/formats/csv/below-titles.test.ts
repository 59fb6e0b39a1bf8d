import { expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/settings.ts'
import { inspect } from './testing.ts'

/* Files of programs whose tables are below titles, keys or a second row of names. */

async function columnsOf(text: string) {
  const inspection = await inspect(text)
  const [{ columns, rows, proposals = [] }] = inspection.tables
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  return { types, rows, proposals, settings: inspection.settings as CsvSettings }
}

it('A second row that says what names mean is proposed as part of the header', async () => {
  const text =
    '"GEO_ID","NAME","B01001_001E"\n"Geography","Geographic Area Name","Estimate!!Total:"\n"0400000US01","Alabama","5028092"\n"0400000US02","Alaska","734821"\n"0400000US04","Arizona","7172282"\n'
  const { proposals } = await columnsOf(text)
  expect(proposals.map(({ label }) => label)).toEqual(['Apply: two rows are the header'])
  const without = text.replace('"Geography"', '"0400000US00"').replace('"Estimate!!Total:"', '"..."')
  expect((await columnsOf(without)).proposals).toEqual([])
})

it('Titles padded to more cells than few rows have don’t give the width', async () => {
  const titles = [
    '微信支付账单明细',
    '微信昵称：[安]',
    '起始时间：[2024-01-01]',
    '导出类型：[全部]',
    '',
    '共2笔记录',
    '注：',
    '1. 充值',
    '',
  ]
  const text = [
    ...titles.map((title) => `${title},,,,,`),
    '交易时间,交易类型,交易对方,商品,收/支,金额(元),当前状态,备注',
    '2024-01-31 20:11:12,商户消费,美团,外卖,支出,¥45.95,支付成功,/',
    '2024-01-14 09:01:02,转账,王宝,纸巾,收入,¥1250.00,已存入零钱,/',
    '',
  ].join('\n')
  const { types, rows } = await columnsOf(text)
  expect([rows, Object.keys(types)[0], types['金额(元)']]).toEqual([2, '交易时间', 'DECIMAL(6,2)'])
})

it('Sections of several widths below titles are split, as Fitbit writes two days', async () => {
  const text =
    'Body\nDate,Weight,BMI\n"2024-01-01","70.5","22.1"\n"2024-01-02","70.4","22.1"\n\nFoods\nDate,Calories In\n"2024-01-01","0"\n"2024-01-02","0"\n\nActivities\nDate,Calories Burned,Steps,Floors\n"2024-01-01","2,345","10,012","12"\n"2024-01-02","2,120","8,410","9"\n'
  const { settings } = await columnsOf(text)
  expect(settings.delimiter).toBe(',')
})

it('A table below keys with values for each of its columns is found, as oscilloscopes write it', async () => {
  const text = `Model,MSO44\nFirmware Version,1.30.5\n\nWaveform Type,ANALOG,\nPoint Format,Y,\nHorizontal Units,s,\nHorizontal Scale,4e-07\nHorizontal Delay,0\nSample Interval,1.6e-10,\nProbe Attenuation,1,10\nVertical Units,V,V\nVertical Scale,0.5,1\n,,\nLabel,,\nTIME,CH1,CH2\n${Array.from({ length: 30 }, (_, i) => `${i / 64},${i / 8},${-i / 4}\n`).join('')}`
  const { types, rows } = await columnsOf(text)
  expect([rows, Object.keys(types)]).toEqual([30, ['TIME', 'CH1', 'CH2']])
})

it('Few lines of keys above a wide table are no table, unless names are above them', async () => {
  const wide =
    '\nPeak #,RetTime [min],Type,Width [min],Area %\n1,1.523,BV,0.0512,45.12\n2,2.871,VB,0.0623,29.28\n3,4.102,BB,0.0712,25.60\n'
  const keys = 'Data File,SAMPLE01.D\nSample Name,Std 1\nAcq. Date,1/2/2024 10:11:12 AM\n'
  const { types, rows } = await columnsOf(keys + wide)
  expect([rows, Object.keys(types)[1]]).toEqual([3, 'RetTime [min]'])
  const table = await columnsOf(`Name,City\nAnna,Berlin\nBen,Hamburg\nCleo,Munich\n${wide}`)
  expect(Object.keys(table.types)).toEqual(['Name', 'City'])
})

it('A period and a balance below a title are keys with their values, as Banco Inter writes them', async () => {
  const keys = 'Conta ;12345-6\nPeríodo ;01/03/2025 a 31/03/2025\nSaldo ;1.234,56\n\n'
  const list =
    'Data Lançamento;Histórico;Descrição;Valor;Saldo\n31/03/2025;Pix;Padaria;-54,20;1.234,56\n28/03/2025;Pix;Salário;5.500,00;1.288,76\n15/03/2025;Boleto;Luz;-189,90;-4.211,24\n'
  for (const title of ['Extrato Conta Corrente\n', '']) {
    const { types, rows } = await columnsOf(title + keys + list)
    expect(rows).toBe(3)
    expect(types).toMatchObject({ 'Data Lançamento': 'DATE', Valor: 'DECIMAL(6,2)', Saldo: 'DECIMAL(6,2)' })
  }
  // Numbers alone may be a table of their own.
  const { settings } = await columnsOf('Conta;Saldo\nA;1,50\nB;2,50\nC;3,50\n\n' + list)
  expect(settings.skipLines).toBe(0)
})
