import {describe, expect, test} from 'vitest';
import {node, pathsRefused, text} from '../test-support/load.ts';
import {attributeChoices} from './attribute-choices.ts';

const dropdown = (choices?: readonly object[]) => ({
  nodes: [node('Device', {attributes: [{name: 'status', kind: 'Dropdown', choices}]})],
});

describe('choices', () => {
  test('a Dropdown with choices is fine', () => {
    expect(pathsRefused(attributeChoices, dropdown([{name: 'up'}, {name: 'down'}]))).toEqual([]);
  });

  test('a Dropdown without choices is refused', () => {
    expect(pathsRefused(attributeChoices, dropdown())).toEqual(['InfraDevice.status.choices']);
    expect(pathsRefused(attributeChoices, dropdown([]))).toEqual(['InfraDevice.status.choices']);
  });

  test('another kind with choices is refused', () => {
    const root = {nodes: [node('Device', {attributes: [text('status', {choices: [{name: 'up'}]})]})]};
    expect(pathsRefused(attributeChoices, root)).toEqual(['InfraDevice.status.choices']);
  });

  test('a choice that appears twice is refused', () => {
    const root = dropdown([{name: 'up'}, {name: 'down'}, {name: 'up'}]);
    expect(pathsRefused(attributeChoices, root)).toEqual(['InfraDevice.status.choices']);
  });

  test('choices go away with the kind Dropdown', () => {
    const changed = {nodes: [node('Device', {attributes: [text('status')]})]};
    expect(pathsRefused(attributeChoices, dropdown([{name: 'up'}]), changed)).toEqual([]);
  });

  test('a Text that becomes a Dropdown needs choices', () => {
    const before = {nodes: [node('Device', {attributes: [text('status')]})]};
    expect(pathsRefused(attributeChoices, before, dropdown())).toEqual(['InfraDevice.status.choices']);
  });
});
