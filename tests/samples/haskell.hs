{-# LANGUAGE LambdaCase #-}
-- | What is sold.
module Shop (Item (..), total) where

import qualified Data.Map as Map
import Data.List (sortBy, foldl')

data Item
  = Fruit {name :: String, price :: Double}
  | Box [Item]
  deriving (Show, Eq)

newtype Order a = Order {unOrder :: [a]}

class Priced a where
  cost :: a -> Double
  cheap :: a -> Bool
  cheap item = cost item < 1.5

instance Priced Item where
  cost (Fruit _ p) = p
  cost (Box items) = sum (map cost items)

total :: (Priced a) => Order a -> Either String Double
total (Order []) = Left "nothing"
total (Order items)
  | length items > 16 = Left ("too " ++ "many\n")
  | otherwise = Right $ foldl' (\acc item -> acc + cost item * 2) 0 items

grade :: Int -> Char
grade = \case
  0 -> 'a'
  n | n > 3, even n -> 'b'
  _ -> 'c'

main :: IO ()
main = do
  let items = [Fruit "apple" 0.5, Box [Fruit {name = "pear", price = 2}]]
      seen = Map.fromList (zip [1 ..] items)
  print (total (Order items))
  if Map.null seen then putStrLn "none" else mapM_ print [x | x <- [1, 3 .. 9], odd x]
  where
    unused = ()
