import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptOf } from '../../transports/web/excerpt.ts';

test('lists show the first line of a text that says something, without the marks of Markdown', () => {
  for (const [text, shown] of [
    ['Plain text.\nMore', 'Plain text.'],
    ['- milk\n- bread', 'milk'],
    ['1. First', 'First'],
    ['12) Twelfth', 'Twelfth'],
    ['* [x] **Done** today', 'Done today'],
    ['> > Quoted', 'Quoted'],
    ['\n\n### A heading', 'A heading'],
    ['---\n***\nAfter the lines', 'After the lines'],
    ['```js\nconst a = 1;\n```', 'const a = 1;'],
    ['| Name | Sum |\n|---|---|', 'Name · Sum'],
    ['**bold *and* more**, _so_ ~~not~~', 'bold and more, so not'],
    ['[Rooms](https://a.example/b_(c)) and ![a cat](c.png)', 'Rooms and a cat'],
    ['See <https://a.example/x_y_z>, <ada@a.example>', 'See https://a.example/x_y_z, ada@a.example'],
    ['Run `**kwargs` or \\*this\\*', 'Run **kwargs or *this*'],
    // What is no markup stays.
    ['2 * 3 = 6, a * b', '2 * 3 = 6, a * b'],
    ['a_snake_case_name', 'a_snake_case_name'],
    ['#42 is broken', '#42 is broken'],
    ['-5 degrees', '-5 degrees'],
    ['rm *.ts *.js', 'rm *.ts *.js'],
    ['a < b and c > d', 'a < b and c > d'],
    ['https://a.example/_x_/*y*', 'https://a.example/_x_/*y*'],
    [':-)', ':-)'],
    ['👍', '👍'],
    ['- \n- two', 'two'],
    // A letter says something after its greeting, and a step after its name.
    ['Hi Tom,\n\nIs the room free?', 'Is the room free?'],
    ['Dear Dr. Ada Lovelace,\nThe engine runs.', 'The engine runs.'],
    ['**Good morning!**\n> Here it is', 'Here it is'],
    ['Hello\n\n---\nRead this', 'Read this'],
    ['Hi Tom,', 'Hi Tom,'],
    ['Hello?\nAnyone', 'Hello?'],
    ['Hello world, this is a sentence.\nMore', 'Hello world, this is a sentence.'],
    ['Dear customer service please refund\nMore', 'Dear customer service please refund'],
    ['Hierarchy\nMore', 'Hierarchy'],
    ['1. **text**\n\n   `ABC`\n\n2. **text**: 3', 'ABC'],
    ['**text**', 'text'],
    ['**Bold words** here\nMore', 'Bold words here'],
    ['', ''],
    [' \n ', ''],
  ] as const)
    assert.equal(excerptOf(text), shown, JSON.stringify(text));
});
