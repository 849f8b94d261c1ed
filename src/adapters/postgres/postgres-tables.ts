import {TABLES} from '../sql/tables.ts';
import {FUNCTIONS} from './postgres-dialect.ts';

/**
 * The layout in this engine's words: numbers of 64 bits, texts that sort by their bytes, and documents as JSON that
 * keeps its text to the letter, so that a filter need not look whether it is JSON each time.
 */
export const inPostgres = (sql: string): string =>
  sql
    .replaceAll('WITHOUT ROWID', '')
    .replaceAll(/\bINTEGER\b/g, 'BIGINT')
    .replaceAll(/\bREAL\b/g, 'DOUBLE PRECISION')
    .replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
    // Columns that a scan looks at beside the key, so that it need not fetch the row.
    .replace(/^(CREATE TABLE ixh? .*PRIMARY KEY \([^)]*\))/s, '$1 INCLUDE (f)')
    .replace(/^(CREATE UNIQUE INDEX ver_at .*)$/s, '$1 INCLUDE (vid)')
    .replace(/^(CREATE TABLE ver\b.*)\bdoc TEXT COLLATE "C"/s, '$1doc JSON');

export const POSTGRES_TABLES: readonly string[] = [...TABLES.map(inPostgres), ...FUNCTIONS];
