const PRICES = 'name,city,price\nA,Berlin,3\nB,Paris,7\nC,Berlin,5';
const PEOPLE = '[{"name":"Ann","age":31},{"name":"Bob","age":45}]';

/** Instructions about a table, the table, and the result as JSON. */
export const TABLES: readonly (readonly [says: string, table: string, result: string])[] = [
  ['which row has the highest price', PRICES, '"name,city,price\\nB,Paris,7"'],
  ['the row with the lowest price', PRICES, '"name,city,price\\nA,Berlin,3"'],
  ['who has the highest price', PRICES, '"name,city,price\\nB,Paris,7"'],
  ['what is the highest price', PRICES, 'not read'],
  ['cheapest item', PRICES, '"name,city,price\\nA,Berlin,3"'],
  ['top 2 by price', PRICES, '"name,city,price\\nB,Paris,7\\nC,Berlin,5"'],
  ['total price by city', PRICES, '[{"value":"Berlin","result":8},{"value":"Paris","result":7}]'],
  ['average price per city', PRICES, '[{"value":"Berlin","result":4},{"value":"Paris","result":7}]'],
  ['count the rows per city', PRICES, '[{"value":"Berlin","result":2},{"value":"Paris","result":1}]'],
  ['average price where city is Berlin', PRICES, '4'],
  ['rows with price over 3 and city Berlin', PRICES, '"name,city,price\\nC,Berlin,5"'],
  ['how many items cost at least 5', PRICES, 'not read'],
  ['how many rows have price at least 5', PRICES, '2'],
  ['who is the oldest?', PEOPLE, '[{"name":"Bob","age":45}]'],
  ['show me people younger than 40', PEOPLE, '[{"name":"Ann","age":31}]'],
  ['how many people are older than 30', PEOPLE, '2'],
  ['give me only the names from', PEOPLE, 'not read'],
  ['who is the tallest?', PEOPLE, 'not read'],
  ['rows with price over 3 unless it rains', PRICES, 'not read'],
];
