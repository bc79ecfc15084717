import path from 'node:path';
import ts from 'typescript';
import { guessesOf } from './guesses';
import { rowShapeOf, type RowShape } from './row-shape';

const root = path.join(__dirname, '../../..');
const folders = ['entities', 'runtime', 'activities', 'api', 'workers'];

/** Where the functions below are, which call each other. */
const ground = ['entities/database/sql.ts', 'entities/database/list.ts'].map((file) =>
  path.join(root, file),
);

/** Their functions that take a statement, or a list that one is made of, and which argument it is. */
const runners: Readonly<Record<string, number>> = {
  query: 1,
  queryOne: 1,
  execute: 1,
  prepared: 1,
  countFrom: 1,
  readList: 1,
};

/** A place in production code that gives a statement to the database. */
export interface CallSite {
  /** `activities/payouts/payouts.ts:161` */
  place: string;
  /** The function it stands in: `activities/payouts/payouts.ts#settlePayout`. */
  owner: string;
  file: string;
  /** Sources of functions that each make the statement as the call would; one for each guess. */
  variants: string[];
  /** Whether a text had to be guessed, so that not every variant is a statement of the service. */
  isGuessed: boolean;
  /** What the code believes of a row; undefined when it reads none. */
  row: RowShape | undefined;
}

/** Compiles the production code and gives each call with what it says of a row, per file. */
export function findCallSites(): Map<string, CallSite[]> {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  if (!config) throw new Error('no tsconfig.json');
  const isOurs = (file: string): boolean =>
    folders.includes(path.relative(root, file).split(path.sep)[0] ?? '') && !ground.includes(file);
  const program = ts.createProgram(config.fileNames.filter(isOurs), config.options);
  const checker = program.getTypeChecker();
  const sources = program.getSourceFiles().filter(({ fileName }) => isOurs(fileName));
  return new Map(sources.map((source) => [source.fileName, sitesIn(source, checker)]));
}

function sitesIn(source: ts.SourceFile, checker: ts.TypeChecker): CallSite[] {
  const sites: CallSite[] = [];
  const visit = (node: ts.Node): void => {
    const text = ts.isCallExpression(node) ? statementOf(node) : undefined;
    if (text) sites.push(siteOf(node as ts.CallExpression, text, checker));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return sites;
}

/** The expression of a call that is a statement's text. */
function statementOf({ expression, arguments: given }: ts.CallExpression): ts.Node | undefined {
  if (!ts.isIdentifier(expression)) return undefined;
  const index = runners[expression.text];
  const argument = index === undefined ? undefined : given[index];
  if (!argument || !ts.isObjectLiteralExpression(argument)) return argument;
  for (const property of argument.properties) {
    if (property.name?.getText() !== 'text') continue;
    return ts.isPropertyAssignment(property) ? property.initializer : property.name;
  }
  return argument;
}

function siteOf(call: ts.CallExpression, text: ts.Node, checker: ts.TypeChecker): CallSite {
  const source = call.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(call.getStart());
  const file = path.relative(root, source.fileName);
  const { guesses, declarations } = dependenciesOf(text, checker);
  const isCount = call.expression.getText() === 'countFrom';
  const statement = statementMadeBy(call.expression.getText(), text.getText());
  const variants = product(guesses).map(
    (chosen) => `() => { ${chosen.join(' ')} ${declarations.join(' ')} return [${statement}][0]; }`,
  );
  return {
    place: `${file}:${line + 1}`,
    owner: `${file}#${ownerOf(call)}`,
    file: source.fileName,
    variants,
    isGuessed: guesses.some(({ isExact }) => !isExact),
    row: isCount ? undefined : rowShapeOf(call, checker),
  };
}

/** The source of a statement, of what its runner is given. */
function statementMadeBy(runner: string, given: string): string {
  if (runner === 'countFrom') return `'SELECT count(*) AS count FROM ' + ${given}`;
  if (runner !== 'readList') return given;
  const list = JSON.stringify(path.join(root, 'entities/database/list.ts'));
  return `require(${list}).windowStatement(${given}, { limit: 1 })`;
}

function ownerOf(call: ts.Node): string {
  const owner = ts.findAncestor(call, ts.isFunctionDeclaration);
  return owner?.name?.text ?? '';
}

interface Guess {
  name: string;
  values: string[];
  isExact: boolean;
}

interface Dependencies {
  guesses: Guess[];
  /** Local constants that the text is made of, in the order in which they are needed. */
  declarations: string[];
}

/** What a text uses of the functions around it: constants as they are, the rest by its type. */
function dependenciesOf(text: ts.Node, checker: ts.TypeChecker): Dependencies {
  const guesses = new Map<string, Guess>();
  const declarations = new Set<string>();
  const seen = new Set<ts.Node>();
  const visit = (node: ts.Node, within: ts.Node): void => {
    const local = ts.isIdentifier(node) ? localOf(node, within, checker) : undefined;
    if (local && !seen.has(local)) {
      seen.add(local);
      const declaration = constantOf(local);
      if (declaration?.initializer) {
        visit(declaration.initializer, declaration);
        declarations.add(`const ${declaration.getText()};`);
      } else {
        const name = node.getText();
        guesses.set(name, { name, ...guessesOf(checker.getTypeAtLocation(node), checker) });
      }
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(text, text);
  return { guesses: [...guesses.values()], declarations: [...declarations] };
}

/** The declaration of a name that belongs to a function around the text. */
function localOf(
  name: ts.Identifier,
  within: ts.Node,
  checker: ts.TypeChecker,
): ts.Declaration | undefined {
  const symbol = ts.isShorthandPropertyAssignment(name.parent)
    ? checker.getShorthandAssignmentValueSymbol(name.parent)
    : checker.getSymbolAtLocation(name);
  const declaration = symbol?.valueDeclaration;
  if (!declaration || !isVariable(declaration)) return undefined;
  if (declaration.getSourceFile() !== name.getSourceFile()) return undefined;
  const isInside = declaration.pos >= within.pos && declaration.end <= within.end;
  return !isInside && ts.findAncestor(declaration, ts.isFunctionLike) ? declaration : undefined;
}

function isVariable(node: ts.Node): boolean {
  return ts.isVariableDeclaration(node) || ts.isBindingElement(node) || ts.isParameter(node);
}

/** The constant that a name is of, unless its value is only known when the service runs. */
function constantOf(declaration: ts.Declaration): ts.VariableDeclaration | undefined {
  const whole = ts.findAncestor(
    declaration,
    (node) => !ts.isBindingName(node) && !ts.isBindingElement(node),
  );
  if (!whole || !ts.isVariableDeclaration(whole) || !whole.initializer) return undefined;
  return /\b(await|this)\b/.test(whole.initializer.getText()) ? undefined : whole;
}

const maxVariants = 64;

function product(guesses: readonly Guess[]): string[][] {
  let all: string[][] = [[]];
  for (const { name, values } of guesses) {
    all = all.flatMap((chosen) => values.map((value) => [...chosen, `const ${name} = ${value};`]));
  }
  return all.slice(0, maxVariants);
}
