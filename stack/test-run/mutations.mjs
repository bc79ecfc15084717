import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '../bootstrap/run.mjs';

const OPERATORS = {
  '>': ['>='],
  '>=': ['>'],
  '<': ['<='],
  '<=': ['<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '&&': ['||'],
  '||': ['&&'],
};
const METHODS = {
  max: 'min',
  min: 'max',
  some: 'every',
  every: 'some',
  floor: 'ceil',
  ceil: 'floor',
};

/** Every change of one place of a file: `{ file, line, text, start, end, was, now }`; `text` is its line. */
export function mutantsOf(file) {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lines = text.split('\n');
  const found = [];
  const add = (node, ...replacements) => {
    const [start, end] = [node.getStart(source), node.getEnd()];
    const { line } = source.getLineAndCharacterOfPosition(start);
    const place = { file, line: line + 1, text: lines[line].trim(), start, end };
    for (const now of replacements) found.push({ ...place, was: text.slice(start, end), now });
  };
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node)) return;
    mutate(node, add, source);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function mutate(node, add, source) {
  if (ts.isBinaryExpression(node)) binary(node, add, source);
  else if (ts.isConditionalExpression(node)) condition(node.condition, add);
  else if (ts.isIfStatement(node)) condition(node.expression, add);
  else if (ts.isNumericLiteral(node)) add(node, String(Number(node.text.replace(/_/g, '')) + 1));
  else if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
  else if (ts.isPrefixUnaryExpression(node)) prefix(node, add, source);
  else if (ts.isCallExpression(node)) call(node, add);
}

function binary(node, add, source) {
  const operator = node.operatorToken.getText(source);
  add(node.operatorToken, ...(Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : []));
  if (operator === '??') add(node, node.left.getText(source), node.right.getText(source));
}

/** A comparison is changed by its operator; of both fixed outcomes each is tried. */
function condition(node, add) {
  add(node, 'true', 'false');
}

function prefix(node, add, source) {
  const isSign = [ts.SyntaxKind.ExclamationToken, ts.SyntaxKind.MinusToken].includes(node.operator);
  if (isSign) add(node, node.operand.getText(source));
}

/** A helper of arrays or Math is exchanged, or what filters and orders is left out. */
function call(node, add) {
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return;
  const name = expression.name.text;
  if (Object.hasOwn(METHODS, name)) add(expression.name, METHODS[name]);
  if (['filter', 'reverse', 'sort', 'trim', 'toLowerCase'].includes(name)) {
    add(node, expression.expression.getText());
  }
}
