// Many more stories.
import './leaving-anything.test';
